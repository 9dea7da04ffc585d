export interface Crumb {
  name: string
  /** The path of the folder or file, "/a/b/". */
  path: string
}

/** How many segments are shown, where there is room, before the first of them go into a menu. */
export const MOST_SHOWN = 4

export interface Trail {
  /** The hidden middle, outermost first. */
  hidden: readonly Crumb[]
  shown: readonly Crumb[]
}

/** The way to a path from the root, which is not part of it. At most so many are shown. */
export function trailTo(path: string, most: number): Trail {
  const names = path.split('/').filter(Boolean)
  const crumbs = names.map((name, index) => {
    const isLast = index === names.length - 1
    const upTo = names.slice(0, index + 1).join('/')
    return { name, path: isLast && !path.endsWith('/') ? `/${upTo}` : `/${upTo}/` }
  })
  const wanted = crumbs.length <= MOST_SHOWN ? crumbs.length : MOST_SHOWN - 1
  const cut = crumbs.length - Math.min(wanted, most)
  return { hidden: crumbs.slice(0, cut), shown: crumbs.slice(cut) }
}
