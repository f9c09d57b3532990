// The hero's text and the button 'Hear TARA', which plays a call in the place of the text, on the page or the block screen.
import { useEffect, useRef } from "react";
import { choose, isStoppable, openPlayer, playInHero, usePlayer } from "./player.jsx";
import { setLevelSource } from "./scene_control.js";

export function HeroVoice({ words, place, children }) {
  const { playingIn, HeroStage, samples, code, hasFailed, isLoading } = usePlayer();
  const isHeroPlaying = playingIn === place;
  const element = useRef(null);
  // The button is below the call, whose ribbons and bars may be out of view.
  useEffect(() => {
    if (!isHeroPlaying) return;
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    element.current.scrollIntoView({ block: "center", behavior: isStill ? "auto" : "smooth" });
  }, [isHeroPlaying]);
  return (
    <div className="hero__voice" ref={element} data-playing={isHeroPlaying ? "" : undefined}>
      {children}
      {isHeroPlaying &&
        (HeroStage ? (
          <HeroStage {...{ samples, code, words, choose, openPlayer, setLevelSource }} />
        ) : (
          <p className="hero-call status" role="status">
            {hasFailed && !isLoading ? words.missing : words.fetching}
          </p>
        ))}
    </div>
  );
}

export function HeroPlayButton({ words, call, place }) {
  const player = usePlayer();
  return (
    <button type="button" className="btn" data-call={JSON.stringify(call)} onClick={() => playInHero(call, place)}>
      {isStoppable(player) ? words.stop : words.listen}
    </button>
  );
}
