import { useText, type MessageId } from '../../i18n/use-text.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { type CodeEditor, languages } from '../ace/code-editor.ts'
import { ENCODINGS, LINE_ENDS, type LineEnd } from '../saving/text-codec.ts'
import type { Saving } from '../saving/use-saving.ts'

const LanguageQuestion = lazyPrompt(async () => (await import('../prompts/language-prompt.tsx')).LanguagePrompt)

const END_LABELS: Readonly<Record<LineEnd, MessageId>> = {
  LF: 'editor.endLF',
  CRLF: 'editor.endCRLF',
  CR: 'editor.endCR',
}

interface FormatMenus {
  ends(): MenuEntry[]
  encodings(): MenuEntry[]
  chooseLanguage(): void
}

/** Menus for line endings, encoding and language. */
export function useFormatMenus(editor: CodeEditor | null, { format, setFormat }: Saving): FormatMenus {
  const t = useText()
  const ask = usePrompt()
  return {
    ends: () =>
      (Object.keys(LINE_ENDS) as LineEnd[]).map((lineEnd) => ({
        ...{ kind: 'choice', label: t(END_LABELS[lineEnd]), checked: format.lineEnd === lineEnd },
        run: () => setFormat({ ...format, lineEnd }),
      })),
    encodings: () =>
      ENCODINGS.map((encoding) => ({
        ...{ kind: 'choice', label: encoding, checked: format.encoding === encoding },
        run: () => setFormat({ ...format, encoding }),
      })),
    chooseLanguage() {
      if (editor === null) return
      const question = { current: editor.status.get().language, languages: languages() }
      void ask(LanguageQuestion, question).then((chosen) => {
        if (chosen !== undefined) editor.setLanguage(chosen)
      })
    },
  }
}
