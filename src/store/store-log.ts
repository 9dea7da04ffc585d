/** Where a store tells the operator what happened to its file; a logger fits as it is. */
export interface StoreLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
  /** True where `info` goes nowhere: what is only for it need not be found out. */
  readonly isBrief?: boolean
}

export const silentLog: StoreLog = {
  isBrief: true,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
