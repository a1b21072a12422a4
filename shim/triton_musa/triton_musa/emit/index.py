"""Where an element is, as C++: by coordinates, by its number in the order of rows, or both."""


class Index:
    def __init__(self, shape, coordinates=None, linear=None):
        self.shape, self._coordinates, self._linear = tuple(shape), coordinates, linear

    @property
    def key(self):
        return (self.shape, self._linear, tuple(self._coordinates or ()))

    def linear(self):
        if self._linear is None:
            text, stride = [], 1
            for size, coordinate in zip(reversed(self.shape), reversed(self._coordinates)):
                if size != 1 and coordinate != '0':
                    text.append(coordinate if stride == 1 else f'{coordinate} * {stride}')
                stride *= size
            self._linear = '0' if not text else text[0] if len(text) == 1 and ' ' not in text[0] else f'({" + ".join(reversed(text))})'
        return self._linear

    def coordinates(self):
        if self._coordinates is None:
            found, stride = [], 1
            wide = [size for size in self.shape if size != 1]
            for size in reversed(self.shape):
                if size == 1 or self._linear == '0':
                    found.append('0')
                    continue
                text = self._linear if stride == 1 else f'({self._linear} / {stride}u)'
                found.append(text if size == wide[0] and stride * size == self._count() else f'({text} % {size}u)')
                stride *= size
            self._coordinates = found[::-1]
        return self._coordinates

    def _count(self):
        count = 1
        for size in self.shape:
            count *= size
        return count

    def without(self, axis, shape):
        """Of a tensor that lacks the axis, which has one element."""
        coordinates = self.coordinates()
        return Index(shape, coordinates[:axis] + coordinates[axis + 1:])

    def narrowed(self, shape):
        """Of the tensor that was broadcast to this one's shape."""
        return Index(shape, ['0' if size == 1 else coordinate for size, coordinate in zip(shape, self.coordinates())])

    def permuted(self, order, shape):
        """Of the tensor whose axis order[i] is this one's axis i."""
        coordinates = [None] * len(order)
        for coordinate, place in zip(self.coordinates(), order):
            coordinates[place] = coordinate
        return Index(shape, coordinates)

    def reshaped(self, shape):
        return Index(shape, None, self.linear())

    def with_axis(self, axis, coordinate, shape):
        coordinates = list(self.coordinates())
        coordinates[axis] = coordinate
        return Index(shape, coordinates)
