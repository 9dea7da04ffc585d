import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { Resource } from '../../../../src/domain/files/resource.ts'
import { childOf, ROOT, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import { MarkdownView } from '../../kit/text/markdown-view.tsx'
import { useNavigation, appHref } from '../../lib/navigation/navigation.tsx'
import { linksOf } from '../../lib/markdown/document-links.ts'
import type { OpenShare } from '../open-share.ts'
import styles from './folder-page.module.css'

interface ReadMeProps {
  readonly share: OpenShare
  readonly folder: VirtualPath
  readonly file: Resource
}

/** The README below the list. Left out when it cannot be loaded or rendered: it is still in the list. */
export function ReadMe({ share, folder, file }: ReadMeProps) {
  const { base, history } = useNavigation()
  const { urls, appPathOf } = share
  const address = urls.raw(childOf(folder, file.name))
  const [failed, setFailed] = useState(false)
  const [fail] = useState(() => () => setFailed(true))
  const { data: markdown } = useQuery({
    queryKey: ['readme', address, file.modified, file.size],
    queryFn: async ({ signal }) => {
      const answer = await fetch(address, { signal })
      if (!answer.ok) throw await ApiError.from(answer)
      return await answer.text()
    },
    retry: false,
    staleTime: Infinity,
  })
  const links = useMemo(
    () =>
      linksOf({
        folder: folder === ROOT ? ROOT : `${folder}/`,
        raw: urls.raw,
        hrefOf: (path) => appHref(base, appPathOf(path)),
      }),
    [folder, urls, appPathOf, base],
  )
  if (markdown === undefined || failed) return null
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
