"""Spark in one process, for programs that tests start."""

from pyspark.sql import SparkSession


def session():
    """Small tables: compiled queries and several partitions would take longer
    than they save. Local paths are read as one partition, in order."""
    builder = SparkSession.builder.master("local[1]")
    for name, value in {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
            "spark.sql.shuffle.partitions": "1",
            "spark.sql.codegen.wholeStage": "false",
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.files.maxPartitionBytes": "1g"}.items():
        builder = builder.config(name, value)
    found = builder.getOrCreate()
    found.sparkContext.setLogLevel("ERROR")
    return found
