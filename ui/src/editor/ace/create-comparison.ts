import * as ace from 'ace-builds'
import { createDiffView } from 'ace-builds/src-noconflict/ext-diff'
import { getModeForPath } from 'ace-builds/src-noconflict/ext-modelist'
import { nameField } from './code-editor.ts'
import { prepareAce } from './prepare-ace.ts'
import { speak, type AceWords } from './speak.ts'

interface Sides<Value> {
  readonly theirs: Value
  readonly mine: Value
}

interface ComparisonOptions extends Sides<string> {
  readonly name: string
  readonly theme: string
  readonly labels: Sides<string>
  readonly words: AceWords
}

/** Draws two texts into two elements, for reading only. @returns what takes them away again */
export function createComparison(boxes: Sides<HTMLElement>, options: ComparisonOptions): () => void {
  prepareAce()
  speak(options.words)
  const own = [boxes.theirs, boxes.mine].map((box) => [box, box.className] as const)
  const mode = getModeForPath(options.name).mode as unknown as ace.Ace.SyntaxMode
  const open = (box: HTMLElement, text: string, label: string): ace.Ace.Editor => {
    const editor = ace.edit(box, { readOnly: true, showPrintMargin: false, highlightActiveLine: false })
    editor.setSession(ace.createEditSession(text, mode))
    editor.session.setUseWorker(false)
    nameField(editor, options.words)(label)
    return editor
  }
  const editorA = open(boxes.theirs, options.theirs, options.labels.theirs)
  const editorB = open(boxes.mine, options.mine, options.labels.mine)
  const view = createDiffView({ editorA, editorB }, { theme: options.theme, maxDiffs: 5000 })
  // It compares by itself only after a change.
  view.onInput()
  view.gotoNext(1)
  return () => {
    view.detach()
    editorA.destroy()
    editorB.destroy()
    // Else the colours of one theme would meet those of the next.
    for (const [box, classes] of own) box.className = classes
  }
}
