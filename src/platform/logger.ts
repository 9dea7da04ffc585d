interface LogMethod {
  (message: string): void
  (facts: object, message: string): void
}

/** Facts first, then one sentence for people. */
export interface Logger {
  readonly debug: LogMethod
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
}
