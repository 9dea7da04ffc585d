import { type ErrorCode, FilemgrError } from '../../domain/errors.ts'

/** An error in a form that can be sent between threads, which lose its class. */
export interface PlainError {
  readonly isOurs: boolean
  readonly code: string | undefined
  readonly message: string
  readonly details: Readonly<Record<string, unknown>>
  readonly stack: string | undefined
}

export function plain(error: unknown): PlainError {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  const isOurs = error instanceof FilemgrError
  return { isOurs, code, message, details: isOurs ? error.details : {}, stack }
}

export function revive({ isOurs, code, message, details, stack }: PlainError): Error {
  if (isOurs) return new FilemgrError(code as ErrorCode, message, details)
  const error = Object.assign(new Error(message), { code })
  if (stack !== undefined) error.stack = stack
  return error
}

/** Whether a thread has ended because it reached the limit of its heap. */
export function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
