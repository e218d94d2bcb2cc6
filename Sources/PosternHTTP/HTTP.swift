/// What is asked over HTTP and what comes back, under one name that other HTTP libraries of a backend leave free.
public enum HTTP: Sendable {}
