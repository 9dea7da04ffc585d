import { useCallback, useRef, useState } from 'react'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import { useText, type Translate } from '../../i18n/use-text.tsx'
import { useAnnounce } from '../../kit/feedback/announcer.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { useToasts } from '../../kit/feedback/toast.tsx'
import type { CodeEditor } from '../ace/code-editor.ts'
import type { FileIo, OpenedText } from './file-io.ts'
import type { Draft } from './drafts.ts'
import { encodeText, type TextFormat } from './text-codec.ts'

const ConflictQuestion = lazyPrompt(async () => (await import('../prompts/conflict-prompt.tsx')).ConflictPrompt)

interface SavedState {
  readonly etag: string | null
  readonly format: TextFormat
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
  const [format, setFormat] = useState<TextFormat>(draft ?? opened.text)
  const [saved, setSaved] = useState<SavedState>({ etag: (draft ?? opened).etag, format: opened.text })
  const [busy, setBusy] = useState(false)
  const running = useRef<Promise<boolean> | null>(null)

  const revertTo = useCallback(
    ({ text, etag }: OpenedText): void => {
      if (editor === null) return
      editor.replaceText(text.text)
      editor.markSaved(editor.revision())
      setFormat(text)
      setSaved({ etag, format: text })
    },
    [editor],
  )

  async function write({ etag, gone }: Version): Promise<boolean> {
    if (editor === null) return false
    const text = editor.text()
    const revision = editor.revision()
    const written = encodeText(text, format) === undefined ? { ...format, encoding: 'UTF-8' as const } : format
    const bytes = encodeText(text, written)
    if (bytes === undefined) return false
    const next = gone ? await io.create(path, bytes) : await io.save(path, bytes, etag)
    editor.markSaved(revision)
    if (written !== format) toasts.info(t('editor.savedAsUtf8', { name, encoding: format.encoding }))
    setFormat(written)
    setSaved({ etag: next.etag, format: written })
    if (next.linksParted) toasts.info(t('editor.linksParted'))
    announce(t('editor.saved', { name }))
    return true
  }

  async function resolveConflict(): Promise<boolean> {
    if (editor === null) return false
    const answer = await ask(ConflictQuestion, { name, path, io, format, localText: editor.text() })
    if (answer === undefined) return false
    if (answer.kind === 'overwrite') return await attempt(answer)
    editor.markSaved(editor.revision())
    if (answer.kind === 'reload') revertTo(answer.opened)
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
  const compare = async (): Promise<boolean> => await runOnce(resolveConflict)

  const formatChanged = format.encoding !== saved.format.encoding || format.lineEnd !== saved.format.lineEnd
  return { format, setFormat, formatChanged, busy, etag: saved.etag, save, compare, revertTo }
}

function describe(t: Translate, name: string, error: unknown): string {
  if (!(error instanceof ApiError)) throw error
  if (error.status === 0) return t('editor.saveNoConnection', { name })
  if (error.status === 403) return t('editor.saveForbidden', { name })
  if (error.code === 'QUOTA_EXCEEDED') return t('editor.saveOverQuota', { name })
  if (error.status === 507) return t('editor.saveNoSpace', { name })
  return error.code === undefined ? t('editor.saveFailed', { name }) : error.message
}
