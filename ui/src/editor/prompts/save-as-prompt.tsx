import { childOf, nameOf, numberedName, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { describeCreateError, NameDialog } from '../../files/actions/prompts/name-prompts.tsx'
import { useText } from '../../i18n/use-text.tsx'
import { type PromptProps, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import type { FileIo } from '../saving/file-io.ts'
import { encodeOrAsk, type TextFormat } from '../saving/text-format.ts'

interface SaveAsQuestion {
  /** Path of the original; the copy is saved in the same folder. */
  readonly path: VirtualPath
  readonly io: FileIo
  readonly text: string
  readonly format: TextFormat
  /** Of the original, for mixed line endings. */
  readonly source: string
}

/** Saves a text under another name and returns its path. */
export function SaveAsPrompt({ path, io, text, format, source, close }: SaveAsQuestion & PromptProps<VirtualPath>) {
  const t = useText()
  const ask = usePrompt()
  const create = async (name: string): Promise<VirtualPath> => {
    const target = childOf(parentOf(path), name)
    const written = await encodeOrAsk(ask, { name, text, format, source })
    if (written === undefined) throw new NotWritten()
    await io.create(target, written.bytes)
    return target
  }
  return (
    <NameDialog
      title={t('editor.saveAs')}
      confirm={t('editor.save')}
      initial={numberedName(nameOf(path), 1)}
      save={create}
      describe={(_, error) =>
        error instanceof NotWritten ? t('editor.missingTitle', { name: nameOf(path) }) : describeCreateError(t, error)
      }
      close={close}
    />
  )
}

/** The encoding lacks a character, and the person chose no other one. */
class NotWritten extends Error {}
