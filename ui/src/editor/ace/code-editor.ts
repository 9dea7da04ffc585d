import type { Ace } from 'ace-builds'
import * as ace from 'ace-builds'
import { getModeForPath, modes } from 'ace-builds/src-noconflict/ext-modelist'
import { detectIndentation } from 'ace-builds/src-noconflict/ext-whitespace'
import { createNameOrder } from '../../../../src/domain/files/name-order.ts'
import { createStore, type Store } from '../../lib/create-store.ts'
import { type AceText, translateAce } from './ace-text.ts'
import { prepareAce } from './prepare-ace.ts'

export interface EditorStatus {
  /** Both count from 1. */
  readonly line: number
  readonly column: number
  /** Number of selected characters. */
  readonly selected: number
  /** Whether the text differs from the revision last passed to `markSaved`. */
  readonly changed: boolean
  /** Display name of the language. */
  readonly language: string
  readonly indent: { readonly tabs: boolean; readonly size: number }
  readonly wrap: boolean
}

/** The status before the editor is created. */
export const BLANK_STATUS: Store<EditorStatus> = createStore<EditorStatus>({
  line: 1,
  column: 1,
  selected: 0,
  changed: false,
  language: '',
  wrap: true,
  indent: { tabs: false, size: 4 },
})

export interface CodeEditor {
  readonly ace: ace.Ace.Editor
  readonly status: Store<EditorStatus>
  text(): string
  /** The current revision, for `markSaved`. */
  revision(): number
  /** Marks a revision as saved. Changes made after it, even during the save, count as unsaved. */
  markSaved(revision: number): void
  /** Replaces the text as a change that can be undone. */
  replaceText(text: string): void
  setLanguage(caption: string): void
  /** Labels the text field for screen readers; the position of the cursor is appended. */
  setLabel(label: string): void
  destroy(): void
}

interface CodeEditorOptions {
  readonly text: string
  readonly fileName: string
  readonly texts: LongLineTexts & AceText
}

const PRINT_MARGIN_COLUMN = 80

const REPLACED_COMMANDS = [
  ...['find', 'findnext', 'findprevious', 'replace', 'gotoline', 'showSettingsMenu', 'openCommandPalette'],
]

/** Creates an Ace editor in an element. Options that change later are set on `ace` directly. */
export function createCodeEditor(host: HTMLElement, { text, fileName, texts }: CodeEditorOptions): CodeEditor {
  prepareAce()
  translateAce(texts)
  const known = getModeForPath(fileName)
  const session = ace.createEditSession(text, known.mode)
  detectIndentation(session)
  const editor = ace.edit(host, {
    showPrintMargin: false,
    printMarginColumn: PRINT_MARGIN_COLUMN,
    enableBasicAutocompletion: true,
    enableLiveAutocompletion: true,
    enableSnippets: true,
    scrollPastEnd: 0.3,
    fixedWidthGutter: true,
    showFoldWidgets: true,
  })
  // The find bar of this page replaces Ace's: its labels are translated and accessible.
  for (const name of REPLACED_COMMANDS) editor.commands.removeCommand(name)
  cutLongLines(editor, texts)
  editor.container.style.lineHeight = '1.5'
  editor.renderer.setScrollMargin(8, 8, 0, 0)
  editor.renderer.updateFontSize()
  editor.setSession(session)
  const undo = session.getUndoManager()
  const read = (language: string): EditorStatus => {
    const { row, column } = editor.getCursorPosition()
    return {
      line: row + 1,
      column: column + 1,
      selected: editor.selection.isEmpty() ? 0 : editor.getSelectedText().length,
      changed: !undo.isClean(),
      language,
      indent: { tabs: !session.getUseSoftTabs(), size: session.getTabSize() },
      wrap: session.getUseWrapMode(),
    }
  }
  const status = createStore<EditorStatus>(read(known.caption))
  const update = (): void => status.set((before) => read(before.language))
  session.on('change', update)
  session.on('changeWrapMode', update)
  session.on('changeTabSize', update)
  session.selection.on('changeCursor', update)
  session.selection.on('changeSelection', update)
  return {
    ace: editor,
    status,
    text: () => session.getDocument().getAllLines().join('\n'),
    revision: () => undo.getRevision(),
    markSaved(revision) {
      undo.bookmark(revision)
      update()
    },
    replaceText(next) {
      const position = editor.getCursorPosition()
      session.getDocument().setValue(next)
      editor.moveCursorToPosition(position)
      editor.clearSelection()
    },
    setLanguage(caption) {
      const mode = modes.find((each) => each.caption === caption)
      if (mode === undefined) return
      session.setMode(mode.mode)
      status.set((before) => ({ ...before, language: caption }))
    },
    setLabel: nameField(editor, texts),
    destroy: () => editor.destroy(),
  }
}

/** @returns a function that labels the text field; the position of the cursor is appended to the label */
export function nameField(editor: ace.Ace.Editor, { cursorPosition }: AceText): (label: string) => void {
  let name = ''
  const write = (): void => {
    const { row, column } = editor.getCursorPosition()
    editor.textInput.getElement().setAttribute('aria-label', `${name}, ${cursorPosition(row + 1, column + 1)}`)
  }
  // Runs after Ace has set its own label.
  editor.on('changeSelection', write)
  return (label) => {
    name = label
    write()
  }
}

export function hasLongLine(text: string): boolean {
  return new RegExp(`[^\\n]{${MAX_LINE_LENGTH + 1}}`).test(text)
}

/** Display names of all languages, sorted. */
export function languages(): readonly string[] {
  return modes.map(({ caption }) => caption).toSorted(createNameOrder())
}

/** Characters of a line shown at first; the rest on demand. */
const MAX_LINE_LENGTH = 10_000

interface LongLineTexts {
  readonly more: string
  readonly less: string
}

interface TextLayer {
  MAX_LINE_LENGTH: number
  $renderOverflowMessage(parent: HTMLElement, column: number, token: unknown, value: string, hide?: boolean): void
}

/** Cuts long unwrapped lines and translates the button that shows the rest. */
function cutLongLines(editor: Ace.Editor, { more, less }: LongLineTexts): void {
  const layer = (editor.renderer as unknown as { readonly $textLayer: TextLayer }).$textLayer
  layer.MAX_LINE_LENGTH = MAX_LINE_LENGTH
  const render = layer.$renderOverflowMessage.bind(layer)
  layer.$renderOverflowMessage = (parent, column, token, value, hide) => {
    render(parent, column, token, value, hide)
    if (parent.lastElementChild !== null) parent.lastElementChild.textContent = hide === true ? less : more
  }
}
