import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { measureResource } from '../../../../../../src/api/files/files.ts'
import type { VirtualPath } from '../../../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../../../api/client.ts'
import { useFormat } from '../../../../i18n/use-format.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import { AppLink } from '../../../../kit/button/button.tsx'
import { usePromptStack } from '../../../../kit/dialog/prompt-stack.tsx'
import { Spinner } from '../../../../kit/feedback/progress.tsx'
import { filesHref } from '../../../../lib/navigation/app-path.ts'
import { problemOf, problemText } from '../../../../common/problem-text.ts'
import styles from './details.module.css'

interface FolderTotalProps {
  readonly paths: readonly VirtualPath[]
  /** The size of the files that are selected together with these folders. */
  readonly bytes: number
}

/** The total size of folders, on request, since it reads every folder beneath. */
export function FolderTotal({ paths, bytes }: FolderTotalProps) {
  const t = useText()
  const format = useFormat()
  const client = useClient()
  const prompts = usePromptStack()
  const [only] = paths
  const [requested, setRequested] = useState(false)
  const answer = useRef<HTMLElement>(null)
  const total = useQuery({
    queryKey: ['measure', ...paths],
    queryFn: async ({ signal }) => {
      const sum = { bytes, files: 0, folders: 0 }
      for (const path of paths) {
        const part = await client.call(measureResource, { params: { '*': path }, signal })
        sum.bytes += part.bytes
        sum.files += part.files
        sum.folders += part.folders
      }
      return sum
    },
    enabled: requested,
    gcTime: 0,
    retry: false,
  })
  return (
    <>
      <dt>{t('details.inAll')}</dt>
      <dd ref={answer} tabIndex={-1} aria-live="polite">
        {!requested && (
          <button
            type="button"
            className="link touch"
            onClick={() => {
              setRequested(true)
              // The button goes away.
              answer.current?.focus()
            }}
          >
            {t('details.calculate')}
          </button>
        )}
        {requested && total.isPending && (
          <span className={styles['busy']}>
            <Spinner size={16} /> {t('files.calculating')}
          </span>
        )}
        {total.error && <span className={styles['problem']}>{problemText(t, problemOf(total.error))}</span>}
        {total.data && (
          <>
            <bdi>{format.bytes(total.data.bytes)}</bdi>{' '}
            <span className={styles['subtle']}>
              {t('files.countBoth', { files: total.data.files, folders: total.data.folders })}
            </span>
          </>
        )}
        {paths.length === 1 && only !== undefined && (
          <div className={styles['storage']}>
            <AppLink
              className="link touch"
              to={`${filesHref(only === '/' ? only : `${only}/`)}?storage`}
              onClick={() => prompts.closeAll()}
            >
              {t('storage.title')}
            </AppLink>
          </div>
        )}
      </dd>
    </>
  )
}
