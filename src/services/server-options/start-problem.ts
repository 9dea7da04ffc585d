import { isFilemgrError, type FilemgrError } from '../../domain/errors.ts'
import type { ServerOptions } from '../../domain/server-options.ts'
import type { Settings } from '../../domain/settings.ts'
import { requireSafeSignIn } from '../auth/sign-in-problem.ts'
import { requireUsableOptions } from './usable-options.ts'

/** Why a start with these values would refuse to serve, as far as no disk has to be asked; undefined when it would serve. */
export function startProblem(settings: Readonly<Settings>, options: ServerOptions): FilemgrError | undefined {
  try {
    requireUsableOptions(options)
    requireSafeSignIn({ settings, options })
    return undefined
  } catch (error) {
    if (isFilemgrError(error, 'INVALID_INPUT')) return error
    throw error
  }
}
