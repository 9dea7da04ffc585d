interface Module {
  readonly isEntry: boolean
  readonly importers: readonly string[]
}

interface Modules {
  getModuleInfo(id: string): Module | null
}

/** Where the first view begins: the page itself and what it fetches for the first rows of a folder. */
const ROOTS = /\/ui\/(index\.html|src\/(main|app\/signed-in-layout|app\/files-screen)\.tsx)$/
/** What the layout and the listing share; they themselves are chunks of their own. */
const SHARED =
  /\/(ui\/src\/(api|kit|lib|i18n|app\/(late-uploads|use-part-missing)|work\/late-(part|work)|features\/(uploads\/(dropped|pick-files|kept-mark)|files\/(use-(open-entry|entry-text|layout-of|space|folder-shortcuts)|late\/drop-place|folder-view\.module|grid|model|toolbar)|shell\/sidebar\.module))|src\/(api|domain)).*\.(tsx?|css)$/
/** What is fetched right after the first rows. */
const IDLE_ROOTS = /\/ui\/src\/(app\/late-parts|features\/files\/late\/folder-extras)\.tsx$/
/** What visitors of public links see, who do without all of that. */
const LINK_ROOTS = /\/ui\/src\/app\/share-(screen|folder)\.tsx$/
const OWN_CODE = /\/(ui\/src|src\/(api|domain))\/.*\.(tsx?|css)$/

/**
 * The chunk of a module: "base" when several parts of the first view may need it, which then fetch one file in place of
 * many. What only later parts import stays out of the first view, wherever its source lies.
 */
export function firstViewChunk(id: string, modules: Modules): string | null {
  return SHARED.test(id) && isReached(id, modules, ROOTS) ? 'base' : null
}

/** The same for what follows the first rows: one file, in place of a small one for each module that others share. */
export function idleChunk(id: string, modules: Modules): string | null {
  if (!OWN_CODE.test(id) || IDLE_ROOTS.test(id) || isReached(id, modules, ROOTS)) return null
  return isReached(id, modules, IDLE_ROOTS) ? 'idle' : null
}

/** Those of them that visitors of public links need too, who must not fetch the rest. Comes before `idleChunk`. */
export function visitorChunk(id: string, modules: Modules): string | null {
  return idleChunk(id, modules) !== null && isReached(id, modules, LINK_ROOTS) ? 'visitor' : null
}

function isReached(id: string, modules: Modules, roots: RegExp, seen = new Set<string>()): boolean {
  if (roots.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return (modules.getModuleInfo(id)?.importers ?? []).some((importer) => isReached(importer, modules, roots, seen))
}
