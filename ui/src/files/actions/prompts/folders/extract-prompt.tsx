import { useState } from 'react'
import { parentOf, type VirtualPath } from '../../../../../../src/domain/files/virtual-path.ts'
import type { Encoding } from '../../../../../../src/domain/text/encodings.ts'
import { useText } from '../../../../i18n/use-text.tsx'
import type { PromptProps } from '../../../../kit/dialog/prompt-stack.tsx'
import { NameEncodingSelect } from '../../archives/name-encoding-select.tsx'
import type { Extract } from '../../model.ts'
import { ChooseFolderPrompt } from './folder-prompts.tsx'

interface ExtractChoice {
  readonly folder: VirtualPath
  readonly encoding: Encoding | undefined
}

/** Asks for the folder, and how to read names that do not say their encoding if the archive has such. */
export function ExtractPrompt({ archive, items, encoding, detected, close }: Extract & PromptProps<ExtractChoice>) {
  const t = useText()
  const [chosen, setChosen] = useState(encoding)
  // Selected items have the names of the encoding in which they were shown.
  const isAsked = detected !== undefined && items === undefined
  return (
    <ChooseFolderPrompt
      title={t('actions.extract')}
      start={parentOf(archive)}
      format={String}
      close={(folder) => close(folder && { folder, encoding: chosen })}
    >
      {isAsked && <NameEncodingSelect value={chosen} detected={detected} onChange={setChosen} />}
    </ChooseFolderPrompt>
  )
}
