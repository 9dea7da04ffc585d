import { useRef, useState } from 'react'
import type { Encoding } from '../../../src/domain/text/encodings.ts'
import type { VirtualPath } from '../../../src/domain/files/virtual-path.ts'
import { UnsavedPrompt, useLeaveGuard } from '../common/leave-guard.tsx'
import { useFormat } from '../i18n/use-format.ts'
import { useText } from '../i18n/use-text.tsx'
import { Button, IconButton } from '../kit/button/button.tsx'
import { lazyPrompt, usePrompt } from '../kit/dialog/prompt-stack.tsx'
import { Icon } from '../kit/icon/icon.tsx'
import { useShortcuts } from '../kit/keyboard/shortcuts.tsx'
import { filesHref } from '../lib/navigation/app-path.ts'
import { useStore } from '../lib/create-store.ts'
import { useCloseFile, useNavigateTo } from '../lib/navigation/navigation.tsx'
import { BLANK_STATUS, type CodeEditor } from './ace/code-editor.ts'
import type { Draft, Drafts } from './saving/drafts.ts'
import { EditorBar } from './bars/editor-bar.tsx'
import { createEditorSettings } from './editor-settings.ts'
import type { FileIo, OpenedText } from './saving/file-io.ts'
import { FindBar } from './find/find-bar.tsx'
import { Panes, usePreview } from './panes.tsx'
import { InexactNote } from './bars/inexact-note.tsx'
import { StatusBar } from './bars/status-bar.tsx'
import { useCodeEditor } from './ace/use-code-editor.ts'
import { useDraft } from './saving/use-draft.ts'
import { useSaving } from './saving/use-saving.ts'
import styles from './editor.module.css'

interface EditorViewProps {
  readonly name: string
  readonly path: VirtualPath
  readonly io: FileIo
  readonly loaded: OpenedText
  readonly readOnly: boolean
  readonly drafts: Drafts
  readonly draft: Draft | undefined
}

/** The editor of a text file. Covers the whole page. */
export function EditorView(props: EditorViewProps) {
  const { name, path, io, loaded, drafts } = props
  const t = useText()
  const navigateTo = useNavigateTo()
  const close = useCloseFile(path)
  const [settings] = useState(() => createEditorSettings(localStorage))
  const [finding, setFinding] = useState(false)
  const [draft, setDraft] = useState(() => (differs(props.draft, loaded) ? props.draft : undefined))
  // Whoever saves what could not be read destroys it.
  const [locked, setLocked] = useState(!loaded.text.isExact)
  const readOnly = props.readOnly || locked
  const { host, editor } = useCodeEditor({ name, text: loaded.text.text, draft: draft?.text, readOnly, settings })
  const status = useStore(editor?.status ?? BLANK_STATUS)
  const leaving = useRef(false)
  const onMoved = (moved: VirtualPath): void => {
    leaving.current = true
    navigateTo(filesHref(moved), { replace: true })
  }
  const saving = useSaving({ editor, io, name, path, opened: loaded, draft, onMoved })
  const dirty = !readOnly && (status.changed || saving.formatChanged)
  const save = (): void => void (readOnly || saving.save())
  const find = (): void => setFinding(true)
  const stopFinding = (): void => {
    setFinding(false)
    editor?.ace.focus()
  }
  const askLine = useAskLine(editor)
  const preview = usePreview(name, settings)
  const { format, etag } = saving
  const ask = usePrompt()
  const { kept, forget } = useDraft({ drafts, path, editor, dirty, format, etag })
  const texts = {
    title: t('editor.discardTitle', { name }),
    text: t('editor.discardText'),
    cancel: t('files.cancel'),
    discard: t('editor.discard'),
    save: t('editor.save'),
  }
  useLeaveGuard({ dirty, texts, leaving, save: saving.save, onDiscard: forget })
  const discardDraft = (): void => {
    setDraft(undefined)
    saving.revertTo(loaded)
  }
  const reopen = async (encoding: Encoding): Promise<void> => {
    const answer = dirty ? await ask(UnsavedPrompt, { texts }) : 'discard'
    if (answer === undefined || (answer === 'save' && !(await saving.save()))) return
    setDraft(undefined)
    setLocked(!(await saving.reopen(encoding)))
  }
  const onReopen = (encoding: Encoding): void => void reopen(encoding)
  const compareDraft = (): void => void saving.compare().then((chosen) => chosen && setDraft(undefined))
  useShortcuts([
    { keys: 'Ctrl+S', label: t('editor.save'), group: 'act', run: save, inFields: true },
    // Also while a button has the focus: otherwise these keys would undo the last file action.
    { keys: 'Ctrl+Z', label: t('editor.undo'), group: 'act', run: () => editor?.ace.undo() },
    { keys: 'Ctrl+F', label: t('editor.find'), group: 'act', run: find, inFields: true },
    { keys: 'Ctrl+L', label: t('editor.goToLine'), group: 'move', run: askLine, inFields: true },
    { keys: 'Esc', label: t('kit.close'), group: 'act', run: finding ? stopFinding : close, inFields: true },
  ])
  return (
    <section className={styles['editor']} aria-label={t('editor.label')} data-cover="">
      <EditorBar
        name={name}
        path={path}
        editor={editor}
        saving={saving}
        settings={settings}
        dirty={dirty}
        kept={kept}
        readOnly={readOnly}
        finding={finding}
        preview={preview}
        onReopen={onReopen}
        onClose={close}
        onSave={save}
        onFind={finding ? stopFinding : find}
        onAskLine={askLine}
      />
      {draft !== undefined && (
        <DraftNote
          keptAt={draft.keptAt}
          outdated={draft.etag !== loaded.etag}
          onCompare={compareDraft}
          onDiscard={discardDraft}
          onClose={() => setDraft(undefined)}
        />
      )}
      {locked && !props.readOnly && (
        <InexactNote editor={editor} saving={saving} onReopen={onReopen} onEdit={() => setLocked(false)} />
      )}
      {finding && editor !== null && <FindBar editor={editor} readOnly={readOnly} onClose={stopFinding} />}
      <Panes host={host} editor={editor} name={name} path={path} preview={preview} />
      <StatusBar
        path={path}
        editor={editor}
        status={status}
        saving={saving}
        readOnly={readOnly}
        onReopen={onReopen}
        onAskLine={askLine}
      />
    </section>
  )
}

/** Whether saving the draft would change the file. */
function differs(draft: Draft | undefined, { text: { text, encoding, lineEnd } }: OpenedText): boolean {
  return draft !== undefined && (draft.text !== text || draft.encoding !== encoding || draft.lineEnd !== lineEnd)
}

interface DraftNoteProps {
  /** Milliseconds since 1970. */
  readonly keptAt: number
  /** The file has changed since the draft was made. */
  readonly outdated: boolean
  readonly onCompare: () => void
  readonly onDiscard: () => void
  readonly onClose: () => void
}

/** Says that an unsaved draft was restored. */
function DraftNote({ keptAt, outdated, onCompare, onDiscard, onClose }: DraftNoteProps) {
  const t = useText()
  const format = useFormat()
  const when = format.dateTime(new Date(keptAt))
  return (
    <div className={styles['note']} role="status">
      <Icon name="info" />
      <span className="grow">{t(outdated ? 'editor.draftOutdated' : 'editor.draftRestored', { when })}</span>
      {outdated && (
        <Button size="small" onClick={onCompare}>
          {t('editor.compare')}
        </Button>
      )}
      <Button size="small" onClick={onDiscard}>
        {t('editor.draftDiscard')}
      </Button>
      <IconButton icon="x" size="small" label={t('kit.dismiss')} onClick={onClose} />
    </div>
  )
}

const LineQuestion = lazyPrompt(async () => (await import('./prompts/line-prompt.tsx')).LinePrompt)

/** Asks for a line and moves the cursor there. */
function useAskLine(editor: CodeEditor | null): () => void {
  const ask = usePrompt()
  return () => {
    if (editor === null) return
    const last = editor.ace.session.getLength()
    void ask(LineQuestion, { last, line: editor.status.get().line }).then((position) => {
      // Wait until the closing dialog has returned the focus.
      setTimeout(() => editor.ace.focus())
      if (position !== undefined) editor.ace.gotoLine(position.line, position.column - 1, false)
    })
  }
}
