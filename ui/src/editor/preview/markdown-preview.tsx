import { useEffect, useMemo, useRef, useState } from 'react'
import { getRaw } from '../../../../src/api/files/downloads.ts'
import { parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { useClient } from '../../api/client.ts'
import { useText } from '../../i18n/use-text.tsx'
import { MarkdownView } from '../../kit/text/markdown-view.tsx'
import { Note } from '../../kit/feedback/note.tsx'
import { filesHref } from '../../lib/navigation/app-path.ts'
import { linksOf } from '../../lib/markdown/document-links.ts'
import { appHref, useNavigation } from '../../lib/navigation/navigation.tsx'
import type { CodeEditor } from '../ace/code-editor.ts'
import { followScroll } from './follow-scroll.ts'
import styles from './preview.module.css'

/** Milliseconds without typing before the preview is updated. */
const DELAY = 200

interface MarkdownPreviewProps {
  readonly editor: CodeEditor
  readonly path: VirtualPath
  readonly name: string
}

/** A live preview of Markdown that scrolls together with the text. */
export function MarkdownPreview({ editor, path, name }: MarkdownPreviewProps) {
  const t = useText()
  const client = useClient()
  const { base, history } = useNavigation()
  const markdown = useTextOf(editor)
  const [failed, setFailed] = useState<string | null>(null)
  const [fail] = useState(() => () => setFailed(editor.text()))
  const box = useRef<HTMLDivElement>(null)
  const links = useMemo(
    () =>
      linksOf({
        folder: `${parentOf(path)}/`,
        raw: (target) => client.url(getRaw, { params: { '*': target }, query: { inline: 'true' } }),
        hrefOf: (target) => appHref(base, filesHref(target)),
      }),
    [base, client, path],
  )
  useEffect(() => (box.current === null ? undefined : followScroll(editor.ace, box.current)), [editor])
  return (
    <div ref={box} className={styles['preview']} role="region" aria-label={t('editor.preview')} tabIndex={0}>
      {failed === markdown ? (
        <Note icon="info" role="status">
          {t('viewer.markdownTooMuch')}
        </Note>
      ) : (
        <MarkdownView
          markdown={markdown}
          links={links}
          label={name}
          onFollow={(address) => history.push(address)}
          onFailed={fail}
        />
      )}
    </div>
  )
}

function useTextOf(editor: CodeEditor): string {
  const [text, setText] = useState(() => editor.text())
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const later = (): void => {
      clearTimeout(timer)
      timer = setTimeout(() => setText(editor.text()), DELAY)
    }
    later()
    editor.ace.session.on('change', later)
    return () => {
      clearTimeout(timer)
      editor.ace.session.off('change', later)
    }
  }, [editor])
  return text
}
