import { useCallback, useRef, useState } from 'react'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import { ApiError } from '../../api/api-error.ts'
import { problemOf, problemText } from '../../common/problem-text.ts'
import { useText, type Translate } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import type { CodeEditor } from '../ace/code-editor.ts'
import type { FileIo, OpenedText } from './file-io.ts'
import type { Draft } from './drafts.ts'
import { encodeOrAsk, type FileContent, type TextFormat } from './text-format.ts'

const ConflictQuestion = lazyPrompt(async () => (await import('../prompts/conflict-prompt.tsx')).ConflictPrompt)

interface SavedState extends FileContent {
  readonly etag: string | null
  readonly format: TextFormat
  /** The encoding, if a person has chosen it: the file may be one whose encoding is not detected. */
  readonly chosen?: Encoding | undefined
}

/** The version of the file that a save replaces. */
interface Version {
  readonly etag: string | null
  /** The file was deleted, so saving creates it again. */
  readonly gone: boolean
}

interface SavingOptions {
  readonly editor: CodeEditor | null
  readonly io: FileIo
  readonly name: string
  readonly path: VirtualPath
  readonly opened: OpenedText
  /** A restored text, which replaces that of the file. */
  readonly draft: Draft | undefined
  /** The text was saved under another path. */
  readonly onMoved: (path: VirtualPath) => void
}

export interface Saving {
  /** Encoding and line endings for the next save. */
  readonly format: TextFormat
  setFormat(format: TextFormat): void
  /** Whether the format differs from that of the file. */
  readonly formatChanged: boolean
  readonly busy: boolean
  /** The file on the server has several kinds of line endings. */
  readonly isMixed: boolean
  /** Reads the file in another encoding, which drops unsaved changes. @returns whether the encoding fits all its bytes */
  reopen(encoding: Encoding): Promise<boolean>
  /** Version of the file that the text is based on. */
  readonly etag: string | null
  /** @returns whether the text was saved */
  save(): Promise<boolean>
  /** Shows the text next to the version on the server. @returns whether the user chose one */
  compare(): Promise<boolean>
  /** Replaces the text with a version from the server, which counts as saved. */
  revertTo(opened: OpenedText): void
}

export function useSaving({ editor, io, name, path, opened, draft, onMoved }: SavingOptions): Saving {
  const t = useText()
  const ask = usePrompt()
  const toasts = useToasts()
  const announce = useAnnounce()
  const [format, setFormat] = useState<TextFormat>(formatOf(draft ?? opened.text))
  const [saved, setSaved] = useState<SavedState>({ ...stateOf(opened), etag: (draft ?? opened).etag })
  const [busy, setBusy] = useState(false)
  const running = useRef<Promise<boolean> | null>(null)

  const revertTo = useCallback(
    (version: OpenedText, chosen?: Encoding): void => {
      if (editor === null) return
      editor.replaceText(version.text.text)
      editor.markSaved(editor.revision())
      setFormat(formatOf(version.text))
      setSaved({ ...stateOf(version), chosen })
    },
    [editor],
  )

  async function write({ etag, gone }: Version): Promise<boolean> {
    if (editor === null) return false
    const revision = editor.revision()
    const written = await encodeOrAsk(ask, { name, text: editor.text(), format, source: saved.source })
    if (written === undefined) return false
    const next = gone ? await io.create(path, written.bytes) : await io.save(path, written.bytes, etag)
    editor.markSaved(revision)
    setFormat(written.format)
    const { encoding } = written.format
    setSaved({ ...written, etag: next.etag, chosen: encoding === saved.format.encoding ? saved.chosen : encoding })
    if (next.linksParted) toasts.info(t('editor.linksParted'))
    announce(t('editor.saved', { name }))
    return true
  }

  async function resolveConflict(): Promise<boolean> {
    if (editor === null) return false
    const answer = await ask(ConflictQuestion, {
      name,
      path,
      io,
      format,
      source: saved.source,
      chosen: saved.chosen,
      localText: editor.text(),
    })
    if (answer === undefined) return false
    if (answer.kind === 'overwrite') return await attempt(answer)
    editor.markSaved(editor.revision())
    if (answer.kind === 'reload') revertTo(answer.opened, saved.chosen)
    else onMoved(answer.path)
    return true
  }

  async function attempt(version: Version): Promise<boolean> {
    try {
      return await write(version)
    } catch (error) {
      const conflict = error instanceof ApiError && [404, 409, 412].includes(error.status)
      if (conflict) return await resolveConflict()
      // After a sign-out the draft is kept for the next visit.
      if (!(error instanceof ApiError && error.status === 401)) toasts.error(describe(t, name, error))
      return false
    }
  }

  const runOnce = async (task: () => Promise<boolean>): Promise<boolean> => {
    if (running.current !== null) return await running.current
    setBusy(true)
    running.current = task()
    try {
      return await running.current
    } finally {
      running.current = null
      setBusy(false)
    }
  }

  const save = async (): Promise<boolean> => await runOnce(() => attempt({ etag: saved.etag, gone: false }))
  const reopen = async (encoding: Encoding): Promise<boolean> => {
    const text = await io.decode(saved.bytes, encoding)
    if (text !== undefined) revertTo({ text, etag: saved.etag }, encoding)
    return text?.isExact === true
  }
  const compare = async (): Promise<boolean> => await runOnce(resolveConflict)

  const formatChanged = format.encoding !== saved.format.encoding || format.lineEnd !== saved.format.lineEnd
  const isMixed = saved.format.lineEnd === 'mixed'
  return { format, setFormat, formatChanged, busy, isMixed, etag: saved.etag, save, compare, reopen, revertTo }
}

function formatOf({ encoding, lineEnd }: TextFormat): TextFormat {
  return { encoding, lineEnd }
}

function stateOf({ text, etag }: OpenedText): SavedState {
  const { bytes, source } = text
  return { bytes, source, etag, format: formatOf(text) }
}

function describe(t: Translate, name: string, error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.status === 0) return t('editor.saveNoConnection', { name })
  if (error.status === 403) return t('editor.saveForbidden', { name })
  if (error.code === 'QUOTA_EXCEEDED') return t('editor.saveOverQuota', { name })
  if (error.status === 507) return t('editor.saveNoSpace', { name })
  return error.code === undefined ? t('editor.saveFailed', { name }) : problemText(t, problemOf(error))
}
