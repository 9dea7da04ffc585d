/** Where a store tells the operator what happened to its file; a logger fits as it is. */
export interface StoreLog {
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

export const silentLog: StoreLog = { info: () => undefined, warn: () => undefined, error: () => undefined }
