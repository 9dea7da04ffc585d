import { fail } from '../../domain/errors.ts'
import type { Scope } from '../../storage/storage.ts'

/** The folder of a scope, to run programs in it. @throws UNSUPPORTED if the files are not on a disk of this machine */
export function requireLocalRoot(scope: Scope): { readonly held: string; readonly path: string } {
  const advice = 'programs can run only where files are on a disk of this machine'
  return scope.localRoot() ?? fail('UNSUPPORTED', advice)
}
