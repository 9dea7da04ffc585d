import { type Encoding, ENCODINGS } from '../../../../src/domain/text/encodings.ts'
import { useEncodingNames } from '../../i18n/use-encoding-names.ts'
import { useText, type MessageId } from '../../i18n/use-text.tsx'
import type { MenuEntry } from '../../kit/menu/menu.tsx'
import { lazyPrompt, usePrompt } from '../../kit/dialog/prompt-stack.tsx'
import { type CodeEditor, languages } from '../ace/code-editor.ts'
import type { LineEnds } from '../saving/line-ends.ts'
import type { Saving } from '../saving/use-saving.ts'

const LanguageQuestion = lazyPrompt(async () => (await import('../prompts/language-prompt.tsx')).LanguagePrompt)

const END_LABELS: Readonly<Record<LineEnds, MessageId>> = {
  LF: 'editor.endLF',
  CRLF: 'editor.endCRLF',
  CR: 'editor.endCR',
  mixed: 'editor.endMixed',
}

interface FormatMenusOptions {
  readonly editor: CodeEditor | null
  readonly saving: Saving
  readonly readOnly: boolean
  /** Reads the file in another encoding, after a question if there are unsaved changes. */
  readonly onReopen: (encoding: Encoding) => void
}

interface FormatMenus {
  ends(): MenuEntry[]
  encodings(): MenuEntry[]
  /** Encodings to read the file in. */
  reopening(): MenuEntry[]
  chooseLanguage(): void
}

/** Menus for line endings, encoding and language. */
export function useFormatMenus({ editor, saving, readOnly, onReopen }: FormatMenusOptions): FormatMenus {
  const t = useText()
  const ask = usePrompt()
  const nameOf = useEncodingNames()
  const { format, setFormat } = saving
  const menuOf = (choose: (encoding: Encoding) => void): MenuEntry[] =>
    ENCODINGS.map((encoding) => ({
      kind: 'choice',
      label: nameOf(encoding),
      checked: format.encoding === encoding,
      run: () => choose(encoding),
    }))
  const reopening = (): MenuEntry[] => menuOf(onReopen)
  return {
    ends: () =>
      (Object.keys(END_LABELS) as LineEnds[])
        .filter((lineEnd) => lineEnd !== 'mixed' || saving.isMixed)
        .map((lineEnd) => ({
          kind: 'choice',
          label: t(END_LABELS[lineEnd]),
          checked: format.lineEnd === lineEnd,
          run: () => setFormat({ ...format, lineEnd }),
        })),
    reopening,
    encodings: () => [
      { kind: 'submenu', label: t('editor.reopenWith'), entries: reopening() },
      ...(readOnly
        ? []
        : [
            {
              kind: 'submenu' as const,
              label: t('editor.saveWith'),
              entries: menuOf((encoding) => setFormat({ ...format, encoding })),
            },
          ]),
    ],
    chooseLanguage() {
      if (editor === null) return
      const question = { current: editor.status.get().language, languages: languages() }
      void ask(LanguageQuestion, question).then((chosen) => {
        if (chosen !== undefined) editor.setLanguage(chosen)
      })
    },
  }
}
