// An image with a fallback for one that cannot be loaded.
import { useEffect, useRef, useState } from "react";

export function Picture({ src, fallback, ...rest }) {
  const [hasFailed, setFailed] = useState(false);
  const image = useRef(null);
  useEffect(() => {
    // The image may have failed before React attached its handler.
    const { complete, naturalWidth } = image.current;
    setFailed(complete && !naturalWidth);
  }, [src]);
  return <img {...rest} ref={image} src={hasFailed ? fallback : src} onError={() => setFailed(true)} />;
}
