export interface Crumb {
  name: string
  /** The path of the folder or file, "/a/b/". */
  path: string
}

/** How many segments are shown before the middle goes into a menu. */
const MOST_SHOWN = 4

export interface Trail {
  /** The hidden middle, outermost first. */
  hidden: readonly Crumb[]
  shown: readonly Crumb[]
}

/** The way to a path from the root, which is not part of it. */
export function trailTo(path: string): Trail {
  const names = path.split('/').filter(Boolean)
  const crumbs = names.map((name, index) => {
    const isLast = index === names.length - 1
    const upTo = names.slice(0, index + 1).join('/')
    return { name, path: isLast && !path.endsWith('/') ? `/${upTo}` : `/${upTo}/` }
  })
  if (crumbs.length <= MOST_SHOWN) return { hidden: [], shown: crumbs }
  const cut = crumbs.length - MOST_SHOWN + 1
  return { hidden: crumbs.slice(0, cut), shown: crumbs.slice(cut) }
}
