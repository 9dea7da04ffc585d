import { useState } from 'react'
import { ARCHIVE_EXTENSIONS } from '../../../../../src/domain/files/archives/archive-format.ts'
import { stemLength } from '../../../../../src/domain/files/name-text.ts'
import { childOf, nameOf, type VirtualPath } from '../../../../../src/domain/files/virtual-path.ts'
import { useText } from '../../../i18n/use-text.tsx'
import { Button } from '../../../kit/button/button.tsx'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../../kit/dialog/prompt-stack.tsx'
import { Select } from '../../../kit/fields/select.tsx'
import { TextField } from '../../../kit/fields/text-field.tsx'
import { ARCHIVE_FORMATS, lastFormat, rememberFormat } from '../download.ts'
import { checkNewName } from '../new-name.ts'

interface CompressQuestion {
  readonly folder: VirtualPath
  /** Entries of the folder. */
  readonly names: readonly string[]
}

/** Asks for the name and the format of a new archive. Returns its path. */
export function CompressPrompt({ folder, names, close }: CompressQuestion & PromptProps<VirtualPath>) {
  const t = useText()
  const [first = ''] = names
  const [format, setFormat] = useState(lastFormat)
  const [stem, setStem] = useState(
    names.length === 1 ? first.slice(0, stemLength(first, false)) : nameOf(folder) || t('files.root'),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const submit = (): void => {
    const name = `${stem.trim()}${ARCHIVE_EXTENSIONS[format]}`
    if (stem.trim() === '') return
    const wrong = checkNewName(name)
    if (wrong !== null) return setProblem(t(wrong))
    rememberFormat(format)
    close(childOf(folder, name))
  }
  return (
    <Dialog
      title={t('actions.compressNow')}
      onClose={() => close()}
      onSubmit={submit}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit" icon="archive">
            {t('actions.compressNow')}
          </Button>
        </>
      }
    >
      <TextField
        label={t('files.name')}
        value={stem}
        error={problem}
        autoComplete="off"
        spellCheck={false}
        dir="auto"
        data-autofocus=""
        onChange={(event) => {
          setStem(event.currentTarget.value)
          setProblem(null)
        }}
      />
      <Select
        label={t('download.format')}
        options={ARCHIVE_FORMATS.map((value) => ({ value, label: ARCHIVE_EXTENSIONS[value] }))}
        value={format}
        onChange={setFormat}
      />
    </Dialog>
  )
}
