import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { MarkdownView } from '../../kit/text/markdown-view.tsx'
import { linksOf } from '../../lib/markdown/document-links.ts'
import { appHref, useNavigation } from '../../lib/navigation/navigation.tsx'
import styles from './read-me.module.css'

/** Where the README of a folder comes from. `raw` and `appPathOf` keep their identity. */
export interface ReadMeSource {
  /** URL of a file's content. */
  readonly raw: (path: string) => string
  /** The page of the app that shows a path. */
  readonly appPathOf: (path: string) => string
  /** Returns undefined for a file that is not a text, or cannot be read. */
  readonly read: (path: VirtualPath, signal: AbortSignal) => Promise<string | undefined>
}

interface ReadMeProps extends ReadMeSource {
  readonly folder: VirtualPath
  readonly file: Resource
}

/** The README below the list. Left out when it cannot be loaded or rendered: it is still in the list. */
export function ReadMe({ folder, file, raw, appPathOf, read }: ReadMeProps) {
  const { base, history } = useNavigation()
  const path = childOf(folder, file.name)
  const [failed, setFailed] = useState(false)
  const [fail] = useState(() => () => setFailed(true))
  const { data: markdown } = useQuery({
    queryKey: ['readme', raw(path), file.modified, file.size],
    queryFn: async ({ signal }) => (await read(path, signal)) ?? null,
    retry: false,
    staleTime: Infinity,
  })
  const links = useMemo(
    () => linksOf({ folder, raw, hrefOf: (path) => appHref(base, appPathOf(path)) }),
    [folder, raw, appPathOf, base],
  )
  if (markdown == null || failed) return null
  return (
    <div className={styles['readme']}>
      <MarkdownView
        markdown={markdown}
        links={links}
        label={file.name}
        onFollow={(to) => history.push(to)}
        onFailed={fail}
      />
    </div>
  )
}
