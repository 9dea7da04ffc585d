import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Encoding } from '../../../../src/domain/text/encodings.ts'
import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { ApiError } from '../../api/api-error.ts'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog, DialogLead } from '../../kit/dialog/dialog.tsx'
import { Note, ErrorNote } from '../../kit/feedback/note.tsx'
import { lazyPrompt, type PromptProps, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { Spinner } from '../../kit/feedback/progress.tsx'
import type { FileIo, LoadedFile, OpenedText } from '../saving/file-io.ts'
import type { TextFormat } from '../saving/text-format.ts'
import { Comparison } from './comparison.tsx'

const SaveAsQuestion = lazyPrompt(async () => (await import('./save-as-prompt.tsx')).SaveAsPrompt)

interface ConflictQuestion {
  readonly name: string
  readonly path: VirtualPath
  readonly io: FileIo
  /** The text in the editor. */
  readonly localText: string
  readonly format: TextFormat
  /** Of the file as it was opened, for mixed line endings. */
  readonly source: string
  /** A person has read or saved the file in this encoding. */
  readonly chosen: Encoding | undefined
}

export type ConflictAnswer =
  /** `etag` of the version on the server; `gone`: the file was deleted. */
  | { readonly kind: 'overwrite'; readonly etag: string | null; readonly gone: boolean }
  | { readonly kind: 'reload'; readonly opened: OpenedText }
  | { readonly kind: 'save-as'; readonly path: VirtualPath }

/** The file has changed on the server: shows both versions and lets the user choose. Closing it keeps everything. */
export function ConflictPrompt(props: ConflictQuestion & PromptProps<ConflictAnswer>) {
  const { name, path, io, localText, format, source, chosen, close } = props
  const t = useText()
  const ask = usePrompt()
  const [opened] = useState(() => Date.now())
  const { data: current, error } = useQuery({
    queryKey: ['text', path, 'server', opened],
    queryFn: ({ signal }) => loadUnlessGone(() => io.load(path, signal, chosen)),
    gcTime: 0,
    retry: false,
  })
  const gone = current === 'gone'
  const text = current !== undefined && current !== 'gone' && current.kind === 'text' ? current : undefined
  const saveAs = (): void =>
    void ask(SaveAsQuestion, { path, io, text: localText, format, source }).then((saved) => {
      if (saved !== undefined) close({ kind: 'save-as', path: saved })
    })
  const overwrite = (): void => close({ kind: 'overwrite', etag: text?.etag ?? null, gone })
  return (
    <Dialog
      alert
      size="wide"
      title={t(gone ? 'editor.goneTitle' : 'editor.conflictTitle', { name })}
      onClose={() => close()}
      footer={
        <>
          {text !== undefined && (
            <DialogLead>
              <Button variant="danger-quiet" onClick={() => close({ kind: 'reload', opened: text })}>
                {t('editor.useTheirs')}
              </Button>
            </DialogLead>
          )}
          <Button data-autofocus="" onClick={() => close()}>
            {t('editor.keepEditing')}
          </Button>
          <Button onClick={saveAs}>{t('editor.saveAs')}</Button>
          <Button variant={gone ? 'primary' : 'danger'} disabled={current === undefined} onClick={overwrite}>
            {t(gone ? 'editor.saveAgain' : 'editor.overwrite')}
          </Button>
        </>
      }
    >
      <p>{t(gone ? 'editor.goneText' : 'editor.conflictText')}</p>
      {current === undefined && error === null && <Spinner size={24} />}
      <ErrorNote>{error && t('editor.theirsMissing')}</ErrorNote>
      {current !== undefined && !gone && text === undefined && <Note icon="info">{t('editor.theirsNoText')}</Note>}
      {text !== undefined && <Comparison name={name} server={text.text.text} local={localText} />}
    </Dialog>
  )
}

async function loadUnlessGone(load: () => Promise<LoadedFile>): Promise<LoadedFile | 'gone'> {
  try {
    return await load()
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'gone'
    throw error
  }
}
