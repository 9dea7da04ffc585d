import { useEffect, useRef } from 'react'
import { useText } from '../../i18n/use-text.tsx'
import { IconButton } from '../../kit/button/button.tsx'
import { lastSegment } from '../../lib/navigation/app-path.ts'
import { subtitleLabel } from './playback.ts'
import { useDetails, useFileUrls } from '../file/file-source.ts'
import type { ViewedFile } from '../file/viewed-file.ts'
import { PlayerBar, startPlaying, useMediaKeys, useMediaState, useResume } from './player.tsx'
import styles from './media.module.css'

/** A video in the browser's player, with the subtitles next to it. */
export function VideoStage({ file, path, autoplay, onDamaged, onStep }: ViewedFile) {
  const t = useText()
  const urls = useFileUrls()
  const video = useRef<HTMLVideoElement>(null)
  const state = useMediaState(video)
  const subtitles = useDetails(path, file).data?.subtitles ?? []
  useResume(video, path)
  useMediaKeys(video, state, onStep)
  useFirstSubtitles(video, subtitles.length)
  useEffect(() => {
    if (autoplay.on && video.current) startPlaying(video.current)
  }, [autoplay])
  const pictureInPicture = (): void => {
    const done = document.pictureInPictureElement
      ? document.exitPictureInPicture()
      : video.current?.requestPictureInPicture()
    // Rejected while the video has no picture yet.
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
        onPlay={() => autoplay.set(true)}
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

/** Turns the first subtitles on. Browsers check `default` only at the start, and subtitles may be added later. */
function useFirstSubtitles(video: { readonly current: HTMLVideoElement | null }, count: number): void {
  useEffect(() => {
    const first = video.current?.textTracks[0]
    if (first?.mode === 'disabled') first.mode = 'showing'
  }, [video, count])
}
