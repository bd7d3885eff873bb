"""The messages of views, under their current and former names."""

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
