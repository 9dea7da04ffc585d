interface Module {
  readonly isEntry: boolean
  readonly importers: readonly string[]
}

interface Modules {
  getModuleInfo(id: string): Module | null
}

/** Where the first view begins: the page itself and what it fetches for the first rows of a folder. */
const ROOTS = /\/ui\/(index\.html|src\/(main|app\/(whole-page|signed-in-layout|files-screen))\.tsx)$/
/** What the layout and the listing share; they themselves are chunks of their own. */
const SHARED =
  /\/(ui\/src\/(api|kit|lib|i18n|app\/(late-uploads|use-part-missing)|files\/(actions\/late-(part|work)|uploads\/(dropped|pick-files|kept-mark)|list\/(use-(open-entry|entry-text|layout-of|space|folder-shortcuts)|late\/drop-place|folder-view\.module|grid|model|toolbar))|shell\/sidebar\/sidebar\.module)|src\/(api|domain)).*\.(tsx?|css)$/
/** What all screens have but those of visitors: the router, and the frame of those behind the sign-in. */
const WHOLE_ROOTS = /\/ui\/src\/app\/(whole-page|signed-in-layout)\.tsx$/
const ROUTER = /\/node_modules\/@tanstack\/(react-router|router-core|react-store|store)\//
const VIRTUAL_LIST = /\/node_modules\/@tanstack\/(react-virtual|virtual-core)\//
/** What is fetched right after the first rows. */
const IDLE_ROOTS = /\/ui\/src\/app\/late-parts\.tsx$/
/** What is fetched by everybody: the page itself, and what draws it for visitors of public links. */
const CORE_ROOTS = /\/ui\/src\/(main|app\/visitor-page)\.tsx$/
/** What visitors see, who do without all of that; a folder when the link leads to one. */
const LINK_ROOTS = /\/ui\/src\/app\/share-(screen|folder)\.tsx$/
const FOLDER_ROOT = /\/ui\/src\/app\/share-folder\.tsx$/
const OWN_CODE = /\/(ui\/src|src\/(api|domain))\/.*\.(tsx?|css)$/

/** What everybody needs, visitors of public links too. Each of these functions answers with the chunk of a module; the first that knows one counts. */
export function coreChunk(id: string, modules: Modules): string | null {
  if (!OWN_CODE.test(id) || ROOTS.test(id) || CORE_ROOTS.test(id)) return null
  return isReached(id, modules, CORE_ROOTS) && isReached(id, modules, ROOTS) ? 'core' : null
}

/** The list of a folder, which visitors of a shared folder see too. */
export function listChunk(id: string, modules: Modules): string | null {
  if (!OWN_CODE.test(id) && !VIRTUAL_LIST.test(id)) return null
  return isReached(id, modules, ROOTS) && isReached(id, modules, FOLDER_ROOT) ? 'list' : null
}

/**
 * What several parts of the rest of the first view may need, which then fetch one file in place of many, and the router.
 * What only later parts import stays out of the first view, wherever its source lies.
 */
export function firstViewChunk(id: string, modules: Modules): string | null {
  if (ROUTER.test(id) || (OWN_CODE.test(id) && isReached(id, modules, WHOLE_ROOTS))) return 'base'
  return SHARED.test(id) && isReached(id, modules, ROOTS) ? 'base' : null
}

/** What follows the first rows: one file, in place of a small one for each module that others share. */
export function idleChunk(id: string, modules: Modules): string | null {
  if (!OWN_CODE.test(id) || IDLE_ROOTS.test(id) || isReached(id, modules, ROOTS)) return null
  return isReached(id, modules, IDLE_ROOTS) ? 'idle' : null
}

/** Those of them that visitors need too, who must not fetch the rest. Comes before `idleChunk`. */
export function visitorChunk(id: string, modules: Modules): string | null {
  return idleChunk(id, modules) !== null && isReached(id, modules, LINK_ROOTS) ? 'visitor' : null
}

function isReached(id: string, modules: Modules, roots: RegExp, seen = new Set<string>()): boolean {
  if (roots.test(id)) return true
  if (seen.has(id)) return false
  seen.add(id)
  return (modules.getModuleInfo(id)?.importers ?? []).some((importer) => isReached(importer, modules, roots, seen))
}
