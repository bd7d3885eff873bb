"""The messages of views, under the names that they have or had."""

from __future__ import annotations

from tfprof._protos import (
    AdviceProto,
    GraphNodeProto,
    MultiGraphNodeProto,
    TFProfTensorProto,
)

TFProfNode = TFGraphNodeProto = GraphNodeProto
TFMultiGraphNodeProto = MultiGraphNodeProto

__all__ = ["AdviceProto", "GraphNodeProto", "MultiGraphNodeProto",
           "TFGraphNodeProto", "TFMultiGraphNodeProto", "TFProfNode",
           "TFProfTensorProto"]
