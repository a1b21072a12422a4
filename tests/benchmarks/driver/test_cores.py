"""What the table over threads says."""
import unittest

from driver import cores


class Table(unittest.TestCase):
    def test_threads_double_up_to_all(self):
        self.assertEqual(cores.steps(1), [1])
        self.assertEqual(cores.steps(2), [1, 2])
        self.assertEqual(cores.steps(16), [1, 2, 4, 8, 16])
        self.assertEqual(cores.steps(12), [1, 2, 4, 8, 12])

    def test_efficiency_is_by_the_time_on_one_thread(self):
        text = cores.line('scan', 4, {'ours': 50_000.0, 'split': 25_000.0}, {'ours': 100_000.0, 'split': 100_000.0})
        self.assertEqual(text.split(), ['scan', '4', '50', 'us', '50%', '25', 'us', '100%', '-', '-', '0.50', '-'])

    def test_means_are_of_what_was_measured(self):
        results = {'a': {4: {'ours': 1.0, 'split': 2.0}}, 'b': {4: {'ours': 1.0, 'split': 8.0, 'openmp': 3.0}}}
        self.assertEqual(cores.mean_line(results, 4), 'geometric mean of    4 threads: /split 4.00, /openmp 3.00')

    def test_kernels_that_get_slower_are_named_unless_the_split_does_too(self):
        results = {'a': {4: {'ours': 1.0, 'split': 1.0}, 16: {'ours': 1.2, 'split': 1.0}},
                   'b': {4: {'ours': 1.0, 'split': 1.0}, 16: {'ours': 1.2, 'split': 1.3}},
                   'c': {4: {'ours': 1.0, 'split': 1.0}, 16: {'ours': 1.05, 'split': 0.5}}}
        self.assertEqual(cores.slower_lines(results, 16), ['a: 1.20 times as long on 16 threads as on 4'])


if __name__ == '__main__':
    unittest.main()
