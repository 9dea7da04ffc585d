import { useState } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { Button } from '../../kit/button/button.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import type { PromptProps } from '../../kit/dialog/prompt-stack.tsx'
import { Select } from '../../kit/fields/select.tsx'

interface LanguageQuestion {
  readonly current: string
  readonly languages: readonly string[]
}

/** Chooses the language for syntax highlighting. */
export function LanguagePrompt({ current, languages, close }: LanguageQuestion & PromptProps<string>) {
  const t = useText()
  const [chosen, setChosen] = useState(current)
  return (
    <Dialog
      title={t('editor.language')}
      onClose={() => close()}
      onSubmit={() => close(chosen)}
      footer={
        <>
          <Button onClick={() => close()}>{t('files.cancel')}</Button>
          <Button variant="primary" type="submit">
            {t('editor.apply')}
          </Button>
        </>
      }
    >
      <Select
        label={t('editor.language')}
        value={chosen}
        onChange={setChosen}
        options={languages.map((language) => ({ value: language, label: language }))}
      />
    </Dialog>
  )
}
