/** "de" of "film.de.srt" beside "film.mp4"; "" where the name says no more than that of the film. */
export function subtitleLabel(subtitle: string, film: string): string {
  const stem = film.replace(/\.[^.]*$/, '')
  const rest = subtitle.replace(/\.[^.]*$/, '')
  const mark = rest.startsWith(stem) ? rest.slice(stem.length) : rest
  return mark.replace(/^[\s._-]+/, '')
}
