import { childOf, nameOf, numberedName, parentOf, type VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { describeCreateError, NameDialog } from '../../files/actions/prompts/name-prompts.tsx'
import { useText } from '../../i18n/use-text.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import type { FileIo } from '../saving/file-io.ts'
import { encodeText, type TextFormat } from '../saving/text-codec.ts'

interface SaveAsQuestion {
  /** Path of the original; the copy is saved in the same folder. */
  readonly path: VirtualPath
  readonly io: FileIo
  readonly text: string
  readonly format: TextFormat
}

/** Saves a text under another name and returns its path. */
export function SaveAsPrompt({ path, io, text, format, close }: SaveAsQuestion & PromptProps<VirtualPath>) {
  const t = useText()
  const create = async (name: string): Promise<VirtualPath> => {
    const target = childOf(parentOf(path), name)
    const bytes = encodeText(text, format) ?? encodeText(text, { ...format, encoding: 'UTF-8' })
    if (bytes !== undefined) await io.create(target, bytes)
    return target
  }
  return (
    <NameDialog
      title={t('editor.saveAs')}
      confirm={t('editor.save')}
      initial={numberedName(nameOf(path), 1)}
      save={create}
      describe={describeCreateError}
      close={close}
    />
  )
}
