import { useMemo, useState } from 'react'
import { parentOf } from '../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../i18n/use-text.tsx'
import { MarkdownView } from '../../kit/text/markdown-view.tsx'
import { Note } from '../../kit/feedback/note.tsx'
import { useNavigation, appHref } from '../../lib/navigation/navigation.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { linksOf } from '../../lib/markdown/document-links.ts'
import { useFileSource, useFileUrls } from '../file/file-source.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import { Waiting } from '../placeholders.tsx'
import { TextStage, useTextContent } from './text-stage.tsx'
import styles from './text-stage.module.css'

/** A rendered Markdown file. One that takes too long to render is shown as plain text. */
export function MarkdownStage(viewed: ViewedFile) {
  const { file, path, onFollow } = viewed
  const t = useText()
  const urls = useFileUrls()
  const { base } = useNavigation()
  const appPathOf = useFileSource()?.appPathOf ?? filesHref
  const content = useTextContent(path, file)
  const [failed, setFailed] = useState(false)
  const folder = parentOf(path)
  const links = useMemo(
    () => linksOf({ folder, raw: urls.raw, hrefOf: (target) => appHref(base, appPathOf(target)) }),
    [folder, urls, base, appPathOf],
  )
  const [fail] = useState(() => () => setFailed(true))
  if (content === undefined) return <Waiting />
  if (failed) {
    return (
      <>
        <TextStage {...viewed} />
        <div className={styles['above']}>
          <Note icon="info" role="status">
            {t('viewer.markdownTooMuch')}
          </Note>
        </div>
      </>
    )
  }
  return (
    <div className={styles['page']} tabIndex={0} role="group" aria-label={t('viewer.viewer')}>
      <MarkdownView markdown={content} links={links} label={file.name} onFollow={onFollow} onFailed={fail} />
    </div>
  )
}
