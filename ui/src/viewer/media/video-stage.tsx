import { useEffect, useRef } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { lastSegment } from '../../lib/app-path.ts'
import { subtitleLabel } from '../model/subtitle-label.ts'
import { useDetails } from '../use-details.ts'
import { useFileUrls } from '../use-file-urls.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { PlayerBar } from './player-bar.tsx'
import { useMediaKeys } from './use-media-keys.ts'
import { startPlaying, useMediaState } from './use-media-state.ts'
import { usePlaceIn } from './use-place-in.ts'
import styles from './media.module.css'

/** A film in the player of the browser, with the subtitles that lie beside it. */
export function VideoStage({ file, path, playing, onDamaged, onStep }: ViewedFile) {
  const t = useText()
  const urls = useFileUrls()
  const video = useRef<HTMLVideoElement>(null)
  const state = useMediaState(video)
  const subtitles = useDetails(path, file).data?.subtitles ?? []
  usePlaceIn(video, path)
  useMediaKeys(video, state, onStep)
  useFirstSubtitles(video, subtitles.length)
  useEffect(() => {
    if (playing.wanted && video.current) startPlaying(video.current)
  }, [playing])
  const pictureInPicture = (): void => {
    const done = document.pictureInPictureElement
      ? document.exitPictureInPicture()
      : video.current?.requestPictureInPicture()
    // Refused while the film has no picture yet.
    done?.catch(() => undefined)
  }
  return (
    <div className={styles['place']}>
      <video
        ref={video}
        className={styles['video']}
        src={urls.raw(path)}
        controls
        controlsList="noplaybackrate"
        playsInline
        preload="metadata"
        aria-label={file.name}
        onPlay={() => playing.want(true)}
        onError={onDamaged}
      >
        {subtitles.map((subtitle, index) => (
          <track
            key={subtitle}
            kind="subtitles"
            src={urls.subtitles(subtitle)}
            label={subtitleLabel(lastSegment(subtitle), file.name) || t('viewer.subtitles', { number: index + 1 })}
            default={index === 0}
          />
        ))}
      </video>
      <PlayerBar state={state}>
        {document.pictureInPictureEnabled && (
          <IconButton icon="panel" label={t('viewer.pictureInPicture')} onClick={pictureInPicture} />
        )}
      </PlayerBar>
    </div>
  )
}

/** The first subtitles are on. Browsers look for `default` only before the film starts, and subtitles may come later. */
function useFirstSubtitles(video: { readonly current: HTMLVideoElement | null }, count: number): void {
  useEffect(() => {
    const first = video.current?.textTracks[0]
    if (first?.mode === 'disabled') first.mode = 'showing'
  }, [video, count])
}
