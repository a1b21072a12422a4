"""Inductor's templates of matrix products by Triton: which sizes of blocks torch.compile(mode='max-autotune') tries on musa, where PyTorch takes a device
for large enough to try any (68 multiprocessors)."""

# (rows, columns, depth): what lies in a processor's caches. Warps and stages change nothing here.
_BLOCKS = ((32, 32, 32), (64, 64, 32), (128, 64, 64))


def register(heuristics):
    """heuristics: PyTorch's module of them, once it is loaded."""
    class MusaProducts(heuristics.MMTemplateConfigMixin, heuristics.BaseConfigHeuristic):
        def __init__(self):
            super().__init__()
            self.mm_configs = self.exhaustive_configs = [heuristics.GemmConfig(*blocks, 1, 4) for blocks in _BLOCKS]

    class MusaProductsAndSums(heuristics.AddMMConfigMixin, MusaProducts):
        """The same for addmm and baddbmm."""

    for template, name in ((heuristics.mm_template, 'addmm'), (heuristics.bmm_template, 'baddbmm')):
        heuristics.register_template_heuristic(template.uid, 'musa')(MusaProducts)
        heuristics.register_template_heuristic(template.uid, 'musa', op_name=name)(MusaProductsAndSums)
