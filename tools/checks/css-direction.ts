const PHYSICAL =
  /(?:^|[\s;{])((?:margin|padding|border|inset|scroll-margin|scroll-padding)-(?:left|right)(?:-\w+)?|border-(?:top|bottom)-(?:left|right)-radius|left|right)\s*:/
const PHYSICAL_VALUE = /(?:^|[\s;{])(text-align|float|clear|caption-side)\s*:\s*(left|right)\b/

/**
 * Finds declarations that are not mirrored in Arabic and Hebrew, as "line: problem". Ignores comments, and lines with a
 * comment "physical: reason", whose direction must not depend on the language.
 */
export function physicalDirections(css: string): string[] {
  const lines = css
    .replaceAll(/\/\*(?!.*physical:)[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ' '))
    .split('\n')
  return lines.flatMap((line, index) => {
    if (line.includes('physical:')) return []
    const hit = PHYSICAL.exec(line)?.[1] ?? PHYSICAL_VALUE.exec(line)?.[0].trim()
    return hit === undefined ? [] : [`${index + 1}: "${hit}" does not follow the writing direction`]
  })
}
