"""A row for each type of operation that does arithmetic."""

import formula_rows_cells as cells
import formula_rows_layers as layers
import formula_rows_math as math
import formula_rows_products as products
import formula_rows_train as train

FAMILIES = (
    math.by_elements, math.reductions, math.segments, math.scatters,
    math.orders, math.sparse, products.products, products.decompositions,
    products.transforms, layers.convolutions, layers.depthwise, layers.pools,
    layers.norms, layers.losses, layers.quantized, layers.fused,
    layers.quantized_fused, cells.recurrent, cells.images, cells.boxes,
    train.training)


def rows():
    for family in FAMILIES:
        yield from family()
