import { type Encoding, encodingFacts } from '../../../src/domain/text/encodings.ts'
import { useLocale } from './use-text.tsx'

/** Names encodings, with the language, script or region that each is made for: "KOI8-R (Russian)". */
export function useEncodingNames(): (encoding: Encoding) => string {
  const locale = useLocale()
  return (encoding) => {
    const { name, madeFor } = encodingFacts(encoding)
    if (madeFor === undefined) return name
    const { type, code } = madeFor
    return `${name} (${new Intl.DisplayNames(locale, { type }).of(code) ?? code})`
  }
}
