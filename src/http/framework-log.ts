import type { FastifyBaseLogger } from 'fastify'
import type { Logger } from '../platform/logger.ts'

/**
 * What the framework has to say goes into our log: above all an answer that broke off in the middle, of which the client sees
 * the cut and nobody else anything.
 */
export function frameworkLog(log: Pick<Logger, 'warn' | 'error'>): FastifyBaseLogger {
  const nothing = (): void => undefined
  const to = (level: 'warn' | 'error') => (facts: unknown, message?: string) => {
    // Requests and answers hold tokens, and have lines of their own.
    if (typeof facts === 'string') log[level](facts)
    else log[level]({ err: (facts as { err?: unknown } | undefined)?.err }, message ?? 'the framework warns')
  }
  const logger: FastifyBaseLogger = {
    ...{ level: 'warn', debug: nothing, info: nothing, trace: nothing, silent: nothing },
    ...{ warn: to('warn'), error: to('error'), fatal: to('error') },
    child: () => logger,
  }
  return logger
}
