import { fileURLToPath } from 'node:url'
import type { Rolldown } from 'vite'
import { FILE_SCREEN, SHARED_FILE, SHARED_FOLDER, SIGN_IN } from './pages.ts'

const UI = fileURLToPath(new URL('../../ui/', import.meta.url))

const SCREENS = new Map([
  ['sign-in', SIGN_IN],
  ['shared-file', SHARED_FILE],
  ['shared-folder', SHARED_FOLDER],
  ['files', FILE_SCREEN.filter((source) => !SIGN_IN.includes(source))],
])

/**
 * Bundles what the first screens need: one chunk for each set of screens that share modules, such as "share+files". Without
 * this, every dialog that shares a helper with a screen splits it further: the file screen took 77 scripts, which a browser
 * requests six at a time.
 */
export function screenChunks(): Rolldown.CodeSplittingGroup[] {
  const users = new Map<string, Set<string>>()
  const visit = (screen: string, id: string, context: Rolldown.ChunkingContext): void => {
    const known = users.get(id) ?? new Set()
    if (known.has(screen)) return
    users.set(id, known.add(screen))
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) visit(screen, imported, context)
  }
  const screensOf = (id: string, context: Rolldown.ChunkingContext): string => {
    if (users.size === 0) {
      for (const [screen, sources] of SCREENS)
        for (const source of sources) if (source.startsWith('src/')) visit(screen, UI + source, context)
    }
    return [...(users.get(id) ?? [])].join('+')
  }
  // The most shared first: chunks must not import each other.
  const sets = [
    'sign-in+shared-file+shared-folder+files',
    'shared-file+shared-folder+files',
    'sign-in+shared-file+shared-folder',
    'shared-file+shared-folder',
    'shared-folder+files',
    'sign-in+files',
    ...SCREENS.keys(),
  ]
  return sets.map((name) => ({ name: (id, context) => (screensOf(id, context) === name ? name : null) }))
}
