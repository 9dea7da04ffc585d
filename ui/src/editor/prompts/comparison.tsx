import * as ace from 'ace-builds'
import { createDiffView } from 'ace-builds/src-noconflict/ext-diff'
import { getModeForPath } from 'ace-builds/src-noconflict/ext-modelist'
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { aceTextOf, type AceText, translateAce } from '../ace/ace-text.ts'
import { nameField } from '../ace/code-editor.ts'
import { prepareAce } from '../ace/prepare-ace.ts'
import { useAceThemeName } from '../ace/use-code-editor.ts'
import styles from './comparison.module.css'

interface ComparisonProps {
  /** File name, which determines the language. */
  readonly name: string
  /** The version on the server. */
  readonly server: string
  /** The text in this editor. */
  readonly local: string
}

/** Two texts side by side, on narrow screens one above the other. Differences are marked and both scroll together. */
export function Comparison({ name, server, local }: ComparisonProps) {
  const t = useText()
  const theme = useAceThemeName()
  const serverBox = useRef<HTMLDivElement>(null)
  const localBox = useRef<HTMLDivElement>(null)
  const [texts] = useState(() => aceTextOf(t))
  const labels = { server: t('editor.theirs'), local: t('editor.mine') }
  useEffect(() => {
    if (serverBox.current === null || localBox.current === null) return
    const boxes = { server: serverBox.current, local: localBox.current }
    const sides = { server: labels.server, local: labels.local }
    return createComparison(boxes, { name, theme, server, local, labels: sides, texts })
  }, [labels.local, labels.server, local, name, server, theme, texts])
  return (
    <div className={styles['both']}>
      <div className={styles['side']}>
        <h3>{labels.server}</h3>
        <div ref={serverBox} className={styles['text']} dir="ltr" />
      </div>
      <div className={styles['side']}>
        <h3>{labels.local}</h3>
        <div ref={localBox} className={styles['text']} dir="ltr" />
      </div>
    </div>
  )
}

interface Sides<Value> {
  readonly server: Value
  readonly local: Value
}

interface ComparisonOptions extends Sides<string> {
  readonly name: string
  readonly theme: string
  readonly labels: Sides<string>
  readonly texts: AceText
}

/** Draws two read-only texts into two elements. @returns a function that removes them */
function createComparison(boxes: Sides<HTMLElement>, options: ComparisonOptions): () => void {
  prepareAce()
  translateAce(options.texts)
  const own = [boxes.server, boxes.local].map((box) => [box, box.className] as const)
  const mode = getModeForPath(options.name).mode as unknown as ace.Ace.SyntaxMode
  const open = (box: HTMLElement, text: string, label: string): ace.Ace.Editor => {
    const editor = ace.edit(box, { readOnly: true, showPrintMargin: false, highlightActiveLine: false })
    editor.setSession(ace.createEditSession(text, mode))
    editor.session.setUseWorker(false)
    nameField(editor, options.texts)(label)
    return editor
  }
  const editorA = open(boxes.server, options.server, options.labels.server)
  const editorB = open(boxes.local, options.local, options.labels.local)
  const view = createDiffView({ editorA, editorB }, { theme: options.theme, maxDiffs: 5000 })
  // Ace compares only after a change, so the first comparison is triggered here.
  view.onInput()
  view.gotoNext(1)
  return () => {
    view.detach()
    editorA.destroy()
    editorB.destroy()
    // Ace leaves the classes of its theme behind, which would mix with the next theme.
    for (const [box, classes] of own) box.className = classes
  }
}
