import type * as Sqlite from 'node:sqlite'
import { fail } from '../domain/errors.ts'

/** Loaded on first use, without the warning of older Node versions that SQLite is experimental. */
export function loadSqlite(): typeof Sqlite {
  const { emitWarning } = process
  process.emitWarning = () => undefined
  try {
    const module = process.getBuiltinModule('node:sqlite') as typeof Sqlite | undefined
    return module ?? fail('STORE_INVALID', 'This Node.js is built without SQLite; install Node.js 24 from nodejs.org.')
  } finally {
    process.emitWarning = emitWarning
  }
}
