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
import styles from './preview.module.css'
import type { Ace } from 'ace-builds'

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

/** Scrolls an editor and its preview together, whichever is scrolled. @returns a function that stops it */
export function followScroll(editor: Ace.Editor, box: HTMLElement): () => void {
  const lengthOfCode = (): number =>
    editor.session.getScreenLength() * editor.renderer.lineHeight - editor.container.clientHeight
  const lengthOfBox = (): number => box.scrollHeight - box.clientHeight
  // Positions set by this function: the scroll events they cause are ignored.
  let boxTarget = -1
  let codeTarget = -1
  const fromCode = (): void => {
    const top = editor.session.getScrollTop()
    if (Math.abs(top - codeTarget) < 2) return
    codeTarget = -1
    boxTarget = positionAt(progressOf(top, lengthOfCode()), lengthOfBox())
    box.scrollTop = boxTarget
  }
  const fromBox = (): void => {
    if (Math.abs(box.scrollTop - boxTarget) < 2) return
    boxTarget = -1
    codeTarget = positionAt(progressOf(box.scrollTop, lengthOfBox()), lengthOfCode())
    editor.session.setScrollTop(codeTarget)
  }
  editor.session.on('changeScrollTop', fromCode)
  box.addEventListener('scroll', fromBox, { passive: true })
  return () => {
    editor.session.off('changeScrollTop', fromCode)
    box.removeEventListener('scroll', fromBox)
  }
}

/** The scroll position as a fraction from 0 to 1; 0 when everything is visible. */
export function progressOf(top: number, length: number): number {
  return length <= 0 ? 0 : Math.min(Math.max(top / length, 0), 1)
}

/** The scroll position in pixels for a fraction. */
export function positionAt(progress: number, length: number): number {
  return Math.round(progress * Math.max(length, 0))
}
