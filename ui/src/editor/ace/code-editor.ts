import * as ace from 'ace-builds'
import { getModeForPath, modes } from 'ace-builds/src-noconflict/ext-modelist'
import { detectIndentation } from 'ace-builds/src-noconflict/ext-whitespace'
import { createStore, type Store } from '../../lib/create-store.ts'
import { labelLongLines, LONGEST_LINE, type LongLineWords } from './long-lines.ts'
import { prepareAce } from './prepare-ace.ts'
import { speak, type AceWords } from './speak.ts'

export interface EditorStatus {
  /** Both count from 1. */
  readonly line: number
  readonly column: number
  /** Characters that are selected. */
  readonly selected: number
  /** Other than what `markSaved` has seen. */
  readonly changed: boolean
  /** Name of the language, as people know it. */
  readonly language: string
  readonly indent: { readonly tabs: boolean; readonly size: number }
  readonly wrap: boolean
}

/** What is shown before there is an editor. */
export const BLANK_STATUS: Store<EditorStatus> = createStore<EditorStatus>({
  ...{ line: 1, column: 1, selected: 0, changed: false, language: '', wrap: true },
  indent: { tabs: false, size: 4 },
})

export interface CodeEditor {
  readonly ace: ace.Ace.Editor
  readonly status: Store<EditorStatus>
  text(): string
  /** Names the present state, for `markSaved`. */
  revision(): number
  /** The state that is on the disk now: what is typed later, or was meanwhile, counts as a change. */
  markSaved(revision: number): void
  /** Another text, as a change that can be undone. */
  replaceText(text: string): void
  setLanguage(caption: string): void
  /** Names the field for screen readers, which hear the line of the cursor behind it. */
  setLabel(label: string): void
  destroy(): void
}

interface CodeEditorOptions {
  readonly text: string
  readonly fileName: string
  readonly words: LongLineWords & AceWords
}

const PRINT_MARGIN_COLUMN = 80

const REPLACED_COMMANDS = [
  ...['find', 'findnext', 'findprevious', 'replace', 'gotoline', 'showSettingsMenu', 'openCommandPalette'],
]

/** An Ace editor in an element of the page. What changes while it is open is set on `ace` itself. */
export function createCodeEditor(host: HTMLElement, { text, fileName, words }: CodeEditorOptions): CodeEditor {
  prepareAce()
  speak(words)
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
  // Our own bar searches, without being fetched and with labels that are read out.
  for (const name of REPLACED_COMMANDS) editor.commands.removeCommand(name)
  labelLongLines(editor, words)
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
      const place = editor.getCursorPosition()
      session.getDocument().setValue(next)
      editor.moveCursorToPosition(place)
      editor.clearSelection()
    },
    setLanguage(caption) {
      const mode = modes.find((each) => each.caption === caption)
      if (mode === undefined) return
      session.setMode(mode.mode)
      status.set((before) => ({ ...before, language: caption }))
    },
    setLabel: nameField(editor, words),
    destroy: () => editor.destroy(),
  }
}

/** @returns what gives the field a name, behind which screen readers hear the place of the cursor */
export function nameField(editor: ace.Ace.Editor, { place }: AceWords): (label: string) => void {
  let name = ''
  const write = (): void => {
    const { row, column } = editor.getCursorPosition()
    editor.textInput.getElement().setAttribute('aria-label', `${name}, ${place(row + 1, column + 1)}`)
  }
  // Ace writes its own label first.
  editor.on('changeSelection', write)
  return (label) => {
    name = label
    write()
  }
}

export function hasLongLine(text: string): boolean {
  return new RegExp(`[^\\n]{${LONGEST_LINE + 1}}`).test(text)
}

/** The languages that can be chosen, by name. */
export function languages(): readonly string[] {
  return modes.map(({ caption }) => caption).toSorted((a, b) => a.localeCompare(b))
}
