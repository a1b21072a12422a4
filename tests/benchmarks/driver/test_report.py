"""What the report says of a column of several programs."""
import random
import unittest

from driver import report


def row(column, *processes):
    return {'variant': column, 'column': column, 'samples_ns': [list(samples) for samples in processes]}


class ColumnTimes(unittest.TestCase):
    def test_a_better_program_is_the_columns(self):
        rows = [row('split', [9, 8, 7], [9, 9, 9]), row('split', [3, 4, 5], [5, 6, 7])]
        self.assertEqual(report.column_times(rows, 'median'), {'split': 5})

    def test_the_median_is_over_processes_of_what_each_took(self):
        rows = [row('ours', [1, 1, 1, 1], [5], [6])]
        self.assertEqual(report.column_times(rows, 'median'), {'ours': 5})

    def test_one_process_is_told_by_its_samples(self):
        self.assertEqual(report.column_times([row('ours', [4, 2, 9])], 'median'), {'ours': 4})
        self.assertEqual(report.column_times([row('ours', [4, 2, 9])], 'min'), {'ours': 2})

    def test_what_failed_has_no_time(self):
        rows = [{'variant': 'pocl', 'column': 'pocl', 'failure': 'ended with 1'}, row('pocl', [2], [2])]
        self.assertEqual(report.column_times(rows, 'median'), {'pocl': 2})

    def test_programs_that_are_alike_do_not_win_by_being_more(self):
        noise = random.Random(1)

        def program(column):   # in half of its processes twice as slow, as memory makes them
            return row(column, *([noise.choice((100, 200)) + noise.random()] for _ in range(5)))

        rows = [[program('ours')] + [program('pocl') for _ in range(3)] for _ in range(2000)]
        found = [report.ratios(report.column_times(each, 'median'))['pocl'] for each in rows]
        self.assertAlmostEqual(sum(ratio > 1 for ratio in found) / len(found), 0.5, delta=0.04)


if __name__ == '__main__':
    unittest.main()
