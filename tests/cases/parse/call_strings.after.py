pl.note('a"b', 'c\'d', 'e\n\\')
