import { access, constants } from 'node:fs/promises'
import { dirname } from 'node:path'

const { R_OK, W_OK, X_OK } = constants

/** Whether an account may use a path: the path, and a mode as for access(2). */
export type AccessQuestion = readonly [path: string, mode: number]
/** Answers with the error code, such as "EACCES"; "" if it may. */
export type AskAccess = (questions: readonly AccessQuestion[]) => Promise<readonly string[]>

export interface MissingRight {
  readonly path: string
  readonly right: 'enter' | 'read' | 'write to'
  /** Such as "EACCES" or "EROFS". */
  readonly code: string
}

/**
 * What keeps an account from reading a path, from writing to it, or from replacing it: a folder above that it may not enter, the
 * folder around it, or the entry itself. Undefined if nothing does, or the path is missing.
 */
export async function missingRight(
  path: string,
  need: 'read' | 'write' | 'replace',
  ask: AskAccess = askOwnAccess,
): Promise<MissingRight | undefined> {
  const folders = foldersAbove(path)
  const questions = [
    ...folders.map((folder) => ({ path: folder, right: 'enter', mode: X_OK }) as const),
    ...(need === 'read' ? [{ path, right: 'read', mode: R_OK } as const] : []),
    ...(need === 'replace' ? [{ path: dirname(path), right: 'write to', mode: W_OK } as const] : []),
    ...(need === 'read' ? [] : [{ path, right: 'write to', mode: W_OK } as const]),
  ]
  const codes = await ask(questions.map((question) => [question.path, question.mode]))
  const found = questions.findIndex((_, index) => !['', 'ENOENT', 'ENOTDIR'].includes(codes[index] ?? ''))
  const question = questions[found]
  return question && { path: question.path, right: question.right, code: codes[found] ?? '' }
}

/** From the root on. */
function foldersAbove(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [...foldersAbove(parent), parent]
}

async function askOwnAccess(questions: readonly AccessQuestion[]): Promise<string[]> {
  return await Promise.all(
    questions.map(
      async ([path, mode]) =>
        await access(path, mode).then(
          () => '',
          (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'unknown error',
        ),
    ),
  )
}
